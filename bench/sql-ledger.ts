import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { runPgbench } from './tpcb.ts'

/** `clients`: the number of concurrent transfers. */
export type SqlLedgerFigure = { accounts: number; clients: number; tps: number }

/**
 * A plain ledger in SQL, written for this bench in the usual design. A function locks both accounts in the order of their ids,
 * checks the minimum balance, updates both balances and stores two entries with the resulting balances.
 */
const SCHEMA = `
  CREATE SCHEMA plain;
  CREATE TABLE plain.account (
    id bigint PRIMARY KEY,
    balance bigint NOT NULL DEFAULT 0,
    version bigint NOT NULL DEFAULT 0,
    least bigint,
    changed_at timestamptz NOT NULL DEFAULT now(),
    CHECK (balance >= least)
  ) WITH (fillfactor = 60);
  CREATE TABLE plain.transfer (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    from_account bigint NOT NULL REFERENCES plain.account,
    to_account bigint NOT NULL REFERENCES plain.account,
    amount bigint NOT NULL CHECK (amount > 0),
    made_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE plain.entry (
    account bigint NOT NULL REFERENCES plain.account,
    version bigint NOT NULL,
    transfer uuid NOT NULL REFERENCES plain.transfer,
    amount bigint NOT NULL,
    balance bigint NOT NULL,
    PRIMARY KEY (account, version)
  );
  CREATE FUNCTION plain.move(from_id bigint, to_id bigint, moved bigint) RETURNS uuid LANGUAGE plpgsql AS $$
  DECLARE
    transfer uuid;
    from_row plain.account;
    to_row plain.account;
  BEGIN
    PERFORM 1 FROM plain.account WHERE id IN (from_id, to_id) ORDER BY id FOR NO KEY UPDATE;
    UPDATE plain.account SET balance = balance - moved, version = version + 1, changed_at = now()
     WHERE id = from_id RETURNING * INTO from_row;
    UPDATE plain.account SET balance = balance + moved, version = version + 1, changed_at = now()
     WHERE id = to_id RETURNING * INTO to_row;
    INSERT INTO plain.transfer (from_account, to_account, amount) VALUES (from_id, to_id, moved) RETURNING id INTO transfer;
    INSERT INTO plain.entry VALUES
      (from_id, from_row.version, transfer, -moved, from_row.balance),
      (to_id, to_row.version, transfer, moved, to_row.balance);
    RETURN transfer;
  END $$`

const MAX_ACCOUNTS = 10_000
const ROUNDS = [
  { accounts: MAX_ACCOUNTS, clients: [20, 64] },
  { accounts: 10, clients: [20, 64] },
]

const script = (accounts: number): string => `
\\set from random(1, ${accounts})
\\set step random(1, ${accounts - 1})
\\set to (:from + :step - 1) % ${accounts} + 1
SELECT plain.move(:from, :to, 1);
`

/**
 * Returns the transfers per second of a plain ledger in SQL, with one commit per transfer. Returns an empty list without
 * pgbench.
 */
export async function benchSqlLedger(ownerUrl: string, seconds: number): Promise<SqlLedgerFigure[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  await client.query(SCHEMA)
  await client.query(
    'INSERT INTO plain.account (id, balance, least) SELECT id, 1000000000, 0 FROM generate_series(1, $1) id',
    [MAX_ACCOUNTS],
  )
  const folder = mkdtempSync(join(tmpdir(), 'alder-bench-'))
  try {
    const figures: SqlLedgerFigure[] = []
    for (const { accounts, clients } of ROUNDS) {
      const file = join(folder, `${accounts}.sql`)
      writeFileSync(file, script(accounts))
      for (const count of clients) {
        const tps = await runPgbench(ownerUrl, {
          clients: count,
          seconds,
          extraOptions: ['--no-vacuum', `--file=${file}`],
        })
        if (tps === null) return []
        figures.push({ accounts, clients: count, tps })
      }
    }
    const { rows } = await client.query<{ sum: string }>('SELECT sum(balance)::text AS sum FROM plain.account')
    if (rows[0]?.sum !== String(MAX_ACCOUNTS * 1_000_000_000)) throw new Error('The plain ledger lost money')
    return figures
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await client.query('DROP SCHEMA plain CASCADE')
    await client.end()
  }
}
