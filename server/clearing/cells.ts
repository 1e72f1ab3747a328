import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { digitsOf, isRoutingNumber } from '#contract/bank-numbers.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const cell = z.strictObject({
  /** A part of its RAIL_URL: http://localhost:PORT/NAME. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  /** Its BANK_ROUTING_NUMBER. */
  routingNumber: z.string().transform(digitsOf).refine(isRoutingNumber),
  /** Where its bank hears of events: its PUBLIC_URL with /hooks/rails. */
  hooksUrl: z.url(),
  /** Its RAIL_SECRET. */
  secret: z.string().min(32),
  /** Its books, for those cells whose books are compared. */
  databaseUrl: z.string().optional(),
})
export type Cell = z.infer<typeof cell>

const file = z.strictObject({
  /** A PostgreSQL database of the clearing's own, as its owner. */
  databaseUrl: z.string(),
  port: z.int().min(0).max(65_535),
  cells: z
    .array(cell)
    .min(2)
    .refine((cells) => new Set(cells.map(({ name }) => name)).size === cells.length, 'two cells have one name')
    .refine((cells) => new Set(cells.map((one) => one.routingNumber)).size === cells.length, 'two have one number')
    // Each could ask in the other's name.
    .refine((cells) => new Set(cells.map(({ secret }) => secret)).size === cells.length, 'two cells have one secret'),
})
export type Clearing = z.infer<typeof file>

/** Who pays each other, as a file says it. Throws StartError with what is wrong in it. */
export function readClearing(path: string): Clearing {
  let given: unknown
  try {
    given = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${(error as Error).message}.`)
  }
  const read = file.safeParse(given)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new StartError(`${path} is not as docs/scale.md says: ${issue?.path.join('.')}: ${issue?.message}.`)
}
