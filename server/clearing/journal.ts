import type { Pool, PoolClient } from 'pg'

/**
 * The clearing's own database schema: each payment once with its next step, and the cells' settlements. Everything is committed
 * here before it is answered or sent.
 */
const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS clearing;
  CREATE TABLE IF NOT EXISTS clearing.settlement (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    day date NOT NULL UNIQUE,
    closed_at timestamptz NOT NULL DEFAULT now());
  -- A cell's net receipt at the central bank in a settlement; below zero if the cell pays. The positions of one settlement add up to zero.
  CREATE TABLE IF NOT EXISTS clearing.position (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    settlement_id uuid NOT NULL REFERENCES clearing.settlement,
    cell text NOT NULL,
    net_minor bigint NOT NULL CHECK (net_minor <> 0),
    told_at timestamptz,
    next_at timestamptz NOT NULL DEFAULT now(),
    tries integer NOT NULL DEFAULT 0,
    last_answer text,
    UNIQUE (settlement_id, cell));
  CREATE INDEX IF NOT EXISTS position_due ON clearing.position (cell, next_at) WHERE told_at IS NULL;
  CREATE TABLE IF NOT EXISTS clearing.payment (
    -- The id of the payment at the receiver. The sender's own id is only unique at the sender.
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    sender text NOT NULL,
    payout_id uuid NOT NULL,
    receiver text NOT NULL CHECK (receiver <> sender),
    account_number text NOT NULL,
    payer_name text NOT NULL,
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    accepted_at timestamptz NOT NULL DEFAULT now(),
    next_step text NOT NULL DEFAULT 'deliver' CHECK (next_step IN ('deliver', 'tell_settled', 'tell_returned', 'none')),
    returned_reason text,
    settled_in uuid REFERENCES clearing.settlement,
    returned_in uuid REFERENCES clearing.settlement,
    waits_for text GENERATED ALWAYS AS
      (CASE next_step WHEN 'deliver' THEN receiver WHEN 'none' THEN NULL ELSE sender END) STORED,
    next_at timestamptz NOT NULL DEFAULT now(),
    tries integer NOT NULL DEFAULT 0,
    last_answer text,
    UNIQUE (sender, payout_id));
  CREATE INDEX IF NOT EXISTS payment_due ON clearing.payment (waits_for, next_at) WHERE next_step <> 'none';
  CREATE INDEX IF NOT EXISTS payment_unsettled ON clearing.payment (accepted_at) WHERE settled_in IS NULL;
  CREATE INDEX IF NOT EXISTS payment_taken_back ON clearing.payment (accepted_at)
    WHERE returned_reason IS NOT NULL AND settled_in IS NOT NULL AND returned_in IS NULL;`

/** Creates the schema. If two processes start at the same moment, one waits. */
export async function createJournal(pool: Pool): Promise<void> {
  await inJournal(pool, async (client) => {
    await client.query(`SELECT pg_advisory_xact_lock(hashtextextended('alder clearing', 0))`)
    await client.query(SCHEMA)
  })
}

/** Runs `work` in one SQL transaction, which commits when `work` resolves and rolls back when it throws. */
export async function inJournal<Result>(pool: Pool, work: (client: PoolClient) => Promise<Result>): Promise<Result> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    client.release()
    return result
  } catch (error) {
    // Closing the connection ends its transaction.
    client.release(true)
    throw error
  }
}
