/** `indelible/testing`: helpers for the tests of those who use Indelible, or who write a store for it. */
export { storeConformance, type ConformanceCase } from './store-conformance.ts'
