import type { Pool, PoolClient } from 'pg'
import { inJournal } from '#server/clearing/journal.ts'

/**
 * A cell's position in a settlement. `netMinor` is the amount in US cents that the cell received at the central bank; below
 * zero if the cell paid. `isTold` is true once the cell has confirmed the event about it.
 */
export type NetPosition = { cell: string; netMinor: number; isTold: boolean }
export type DaySettlement = { day: string; isNew: boolean; positions: NetPosition[] }

type NetMovement = { sender: string; receiver: string; amount_minor: number }

/**
 * Settles a day once. The settlement adds up all completed payments that are in no settlement yet, and subtracts completed
 * returns of payments from earlier settlements. Payments still on their way are in the next settlement. One SQL transaction
 * ensures that no payment is in two settlements. After the commit, the cells are notified until they have booked the
 * settlement.
 */
export function settleDay(pool: Pool, day: string): Promise<DaySettlement> {
  return inJournal(pool, async (client) => {
    const { rows } = await client.query<{ id: string }>(
      'INSERT INTO clearing.settlement (day) VALUES ($1) ON CONFLICT (day) DO NOTHING RETURNING id',
      [day],
    )
    const [addedSettlement] = rows
    if (addedSettlement) await addPositions(client, addedSettlement.id)
    return { day, isNew: addedSettlement !== undefined, positions: await positionsOn(client, day) }
  })
}

async function addPositions(client: PoolClient, id: string): Promise<void> {
  const settledResult = await client.query<NetMovement>(
    `UPDATE clearing.payment SET settled_in = $1
      WHERE settled_in IS NULL AND next_step = 'none' AND returned_reason IS NULL
     RETURNING sender, receiver, amount_minor`,
    [id],
  )
  const returnedResult = await client.query<NetMovement>(
    `UPDATE clearing.payment SET returned_in = $1
      WHERE returned_reason IS NOT NULL AND settled_in IS NOT NULL AND returned_in IS NULL AND next_step = 'none'
     RETURNING receiver AS sender, sender AS receiver, amount_minor`,
    [id],
  )
  const nets = netPositionsOf([...settledResult.rows, ...returnedResult.rows])
  for (const [cell, netMinor] of nets)
    if (netMinor !== 0)
      await client.query('INSERT INTO clearing.position (settlement_id, cell, net_minor) VALUES ($1, $2, $3)', [
        id,
        cell,
        netMinor,
      ])
}

/** Returns the net amount that all other cells together owe each cell, in US cents; below zero if the cell owes them. */
export function netPositionsOf(movements: readonly NetMovement[]): Map<string, number> {
  const nets = new Map<string, number>()
  const add = (cell: string, minor: number) => nets.set(cell, (nets.get(cell) ?? 0) + minor)
  for (const { sender, receiver, amount_minor: minor } of movements) {
    add(sender, -minor)
    add(receiver, minor)
  }
  return nets
}

async function positionsOn(client: PoolClient, day: string): Promise<NetPosition[]> {
  const { rows } = await client.query<NetPosition>(
    `SELECT cell, net_minor AS "netMinor", told_at IS NOT NULL AS "isTold"
       FROM clearing.position JOIN clearing.settlement s ON s.id = settlement_id WHERE s.day = $1 ORDER BY cell`,
    [day],
  )
  return rows
}
