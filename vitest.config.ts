import type { ViteUserConfig } from 'vitest/config'

const config: ViteUserConfig = {
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    // Several test files start processes, on machines that may have two busy cores. The limits are there for what hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    maxConcurrency: 2,
    // By itself it leaves one core free, which is half of a small machine.
    maxWorkers: '100%',
  },
}

export default config
