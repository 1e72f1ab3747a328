import type { Kysely } from 'kysely'
import type { Database } from '#server/platform/db/schema.ts'
import type { Run } from '#server/platform/db/run.ts'

/**
 * The kinds of work that a restored bank holds back (decision 441). `changes`: all changes by customers, shops and providers.
 * The others are kinds of outgoing messages.
 */
export const HELD_KINDS = ['changes', 'mail', 'texts', 'push', 'rails'] as const
export type HeldKind = (typeof HELD_KINDS)[number]
/** The kinds of outgoing messages. */
export type OutgoingKind = Exclude<HeldKind, 'changes'>

export type RestoreHold = {
  has(kind: HeldKind): boolean
  kinds(): readonly HeldKind[]
  /** Calls the listener after a release. */
  onRelease(listener: () => void): void
  close(): void
}

/** The interval between two checks for a release, in milliseconds. */
const LOOK_MS = 2_000

/** Reads the holds when the bank opens. An open bank never gets new holds, so a bank without holds does not check again. */
export async function openRestoreHold(db: Kysely<Database>): Promise<RestoreHold> {
  const readKinds = async () => {
    const rows = await db.selectFrom('bank.held').select('kind').execute()
    return HELD_KINDS.filter((kind) => rows.some((row) => row.kind === kind))
  }
  const listeners: (() => void)[] = []
  let heldKinds: readonly HeldKind[] = await readKinds()
  const timer = setInterval(() => void look(), LOOK_MS)
  const look = async (): Promise<void> => {
    // While the database is unavailable, nothing counts as released.
    const now = await readKinds().catch(() => heldKinds)
    const isLess = now.length < heldKinds.length
    heldKinds = now
    if (heldKinds.length === 0) clearInterval(timer)
    if (isLess) for (const listener of listeners) listener()
  }
  if (heldKinds.length === 0) clearInterval(timer)
  return {
    has: (kind) => heldKinds.includes(kind),
    kinds: () => heldKinds,
    onRelease: (listener) => void listeners.push(listener),
    close: () => clearInterval(timer),
  }
}

/** Returns whether a job waits for a release by the operator. */
export const isHeldBack = ({ held }: { held: RestoreHold }, { leaves }: { leaves?: OutgoingKind }): boolean =>
  leaves !== undefined && held.has(leaves)

/** Holds back all kinds in servers that start from now on. `knownUntil`: the last moment of which the bank has records. */
export async function holdBack(run: Run, knownUntil: string): Promise<void> {
  await run(
    `INSERT INTO bank.held (kind, known_until) SELECT kind, $2 FROM unnest($1::text[]) AS kind
         ON CONFLICT (kind) DO UPDATE SET known_until = least(held.known_until, excluded.known_until)`,
    [HELD_KINDS, knownUntil],
  )
}

/** Releases kinds of work. Returns those of the kinds that were held until now. */
export async function releaseHold(run: Run, kinds: readonly HeldKind[]): Promise<HeldKind[]> {
  const { rows } = await run('DELETE FROM bank.held WHERE kind = ANY($1) RETURNING kind', [kinds])
  return kinds.filter((kind) => rows.some((row) => row['kind'] === kind))
}
