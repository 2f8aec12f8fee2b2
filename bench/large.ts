/** `npm run bench:large [MEGABYTES]`: a log of 5 GB, read in at most 400 MB of memory. Takes the disk twice that for a while, and minutes. */
import { benchAudit } from './audit.ts'
import { largeBodies } from './logs.ts'

const megabytes = Number(process.argv[2] ?? 5_000)
const within = await benchAudit({ megabytes, bodies: largeBodies, rounds: 1, share: 0.4, memory: 400 })
process.exitCode = within ? 0 : 1
