import type { Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Run } from '#server/platform/db/run.ts'

/**
 * What a restored bank holds back (decision 441): `changes` is all that customers, shops and providers change; the others are
 * what leaves the bank.
 */
export const HELD_KINDS = ['changes', 'mail', 'texts', 'push', 'rails'] as const
export type HeldKind = (typeof HELD_KINDS)[number]
/** What leaves the bank, and how. */
export type Leaving = Exclude<HeldKind, 'changes'>

export type Held = {
  has(kind: HeldKind): boolean
  kinds(): readonly HeldKind[]
  /** Calls once something has been released. */
  onRelease(listener: () => void): void
  close(): void
}

/** How soon a server learns that something has been released, in milliseconds. */
const LOOK_MS = 2_000

/**
 * What is held is known from the start: nothing is held later, in a bank that is open. A bank that holds nothing never asks again.
 */
export async function openHeld(db: Kysely<Database>): Promise<Held> {
  const read = async () => {
    const rows = await db.selectFrom('bank.held').select('kind').execute()
    return HELD_KINDS.filter((kind) => rows.some((row) => row.kind === kind))
  }
  const listeners: (() => void)[] = []
  let held: readonly HeldKind[] = await read()
  const timer = setInterval(() => void look(), LOOK_MS)
  const look = async (): Promise<void> => {
    // A database that is away has released nothing.
    const now = await read().catch(() => held)
    const isLess = now.length < held.length
    held = now
    if (held.length === 0) clearInterval(timer)
    if (isLess) for (const listener of listeners) listener()
  }
  if (held.length === 0) clearInterval(timer)
  return {
    has: (kind) => held.includes(kind),
    kinds: () => held,
    onRelease: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  }
}

/** Whether a job waits for the operator. */
export const isParked = ({ held }: { held: Held }, { leaves }: { leaves?: Leaving }): boolean =>
  leaves !== undefined && held.has(leaves)

/** Has everything held by servers that start from now on; `knownUntil` is the moment up to which the bank knows what happened. */
export async function hold(run: Run, knownUntil: string): Promise<void> {
  await run(
    `INSERT INTO bank.held (kind, known_until) SELECT kind, $2 FROM unnest($1::text[]) AS kind
         ON CONFLICT (kind) DO UPDATE SET known_until = least(held.known_until, excluded.known_until)`,
    [HELD_KINDS, knownUntil],
  )
}

/** Lets kinds go. Answers which were held. */
export async function release(run: Run, kinds: readonly HeldKind[]): Promise<HeldKind[]> {
  const { rows } = await run('DELETE FROM bank.held WHERE kind = ANY($1) RETURNING kind', [kinds])
  return kinds.filter((kind) => rows.some((row) => row['kind'] === kind))
}
