import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { stripSeparators, isRoutingNumber } from '#contract/bank-numbers.ts'
import { StartError } from '#server/platform/process/start-error.ts'

const cell = z.strictObject({
  /** The cell's name, which is part of its RAIL_URL: http://localhost:PORT/NAME. */
  name: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
  /** The cell's BANK_ROUTING_NUMBER. */
  routingNumber: z.string().transform(stripSeparators).refine(isRoutingNumber),
  /** The address for events to the cell: its PUBLIC_URL with /hooks/rails. */
  hooksUrl: z.url(),
  /** The cell's RAIL_SECRET. */
  secret: z.string().min(32),
  /** The URL of the cell's database; left out if the cell's books are not reconciled. */
  databaseUrl: z.string().optional(),
})
export type Cell = z.infer<typeof cell>

const file = z.strictObject({
  /** The clearing's own PostgreSQL database, with its owner role. */
  databaseUrl: z.string(),
  port: z.int().min(0).max(65_535),
  cells: z
    .array(cell)
    .min(2)
    .refine((cells) => new Set(cells.map(({ name }) => name)).size === cells.length, 'two cells have the same name')
    .refine(
      (cells) => new Set(cells.map((listedCell) => listedCell.routingNumber)).size === cells.length,
      'two cells have the same number',
    )
    // If two cells had the same secret, each could send requests in the other's name.
    .refine(
      (cells) => new Set(cells.map(({ secret }) => secret)).size === cells.length,
      'two cells have the same secret',
    ),
})
export type ClearingConfig = z.infer<typeof file>

/** Reads the file that lists the cells. Throws StartError with the error in the file. */
export function readClearingConfig(path: string): ClearingConfig {
  let jsonContent: unknown
  try {
    jsonContent = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new StartError(`${path} cannot be read: ${(error as Error).message}.`)
  }
  const parsedFile = file.safeParse(jsonContent)
  if (parsedFile.success) return parsedFile.data
  const [issue] = parsedFile.error.issues
  throw new StartError(`${path} is not as docs/scale.md says: ${issue?.path.join('.')}: ${issue?.message}.`)
}
