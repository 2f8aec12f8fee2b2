/** The tables of a SQL store, as of the newest migration. */

/** The names carry a prefix, so that they can stand in a database that holds other things too. */
export interface Schema {
  indelible_events: EventTable
  indelible_migrations: MigrationTable
}

/** One row per event. */
interface EventTable {
  session: string
  revision: number
  type: string
  v: number
  id: string | null
  at: string
  body: string
  checksum: string
}

/** One row per migration that was applied. */
interface MigrationTable {
  /** From 1. */
  number: number
  /** ISO 8601. */
  applied_at: string
}
