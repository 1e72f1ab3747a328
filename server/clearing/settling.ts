import type { Pool, PoolClient } from 'pg'
import { inJournal } from '#server/clearing/journal.ts'

/** `netMinor`: what the cell received at the central bank, below zero where it paid. */
export type Position = { cell: string; netMinor: number; isTold: boolean }
export type Settlement = { day: string; isNew: boolean; positions: Position[] }

type Moved = { sender: string; receiver: string; amount_minor: number }

/**
 * Settles a day, once: every payment that is settled with its sender, less what came back of payments that were settled before. What
 * is still on its way is in the next one. It is one SQL transaction, so that a payment is in one settlement or in none; the cells
 * are told of it afterwards, until they have booked it.
 */
export function settle(pool: Pool, day: string): Promise<Settlement> {
  return inJournal(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'INSERT INTO clearing.settlement (day) VALUES ($1) ON CONFLICT (day) DO NOTHING RETURNING id',
      [day],
    )
    const [added] = rows
    if (added) await addPositions(client, added.id)
    return { day, isNew: added !== undefined, positions: await positionsOn(client, day) }
  })
}

async function addPositions(client: PoolClient, id: string): Promise<void> {
  const paid = await client.query<Moved>(
    `UPDATE clearing.payment SET settled_in = $1
      WHERE settled_in IS NULL AND next_step = 'none' AND returned_reason IS NULL
     RETURNING sender, receiver, amount_minor`,
    [id],
  )
  const back = await client.query<Moved>(
    `UPDATE clearing.payment SET returned_in = $1
      WHERE returned_reason IS NOT NULL AND settled_in IS NOT NULL AND returned_in IS NULL AND next_step = 'none'
     RETURNING receiver AS sender, sender AS receiver, amount_minor`,
    [id],
  )
  const nets = netsOf([...paid.rows, ...back.rows])
  for (const [cell, netMinor] of nets)
    if (netMinor !== 0)
      await client.query('INSERT INTO clearing.position (settlement_id, cell, net_minor) VALUES ($1, $2, $3)', [
        id,
        cell,
        netMinor,
      ])
}

/** What each cell is owed by all others together. */
export function netsOf(moved: readonly Moved[]): Map<string, number> {
  const nets = new Map<string, number>()
  const add = (cell: string, minor: number) => nets.set(cell, (nets.get(cell) ?? 0) + minor)
  for (const { sender, receiver, amount_minor: minor } of moved) {
    add(sender, -minor)
    add(receiver, minor)
  }
  return nets
}

async function positionsOn(client: PoolClient, day: string): Promise<Position[]> {
  const { rows } = await client.query<Position>(
    `SELECT cell, net_minor AS "netMinor", told_at IS NOT NULL AS "isTold"
       FROM clearing.position JOIN clearing.settlement s ON s.id = settlement_id WHERE s.day = $1 ORDER BY cell`,
    [day],
  )
  return rows
}
