-- An advice turns a payment that was declined: it is authorised then.
GRANT UPDATE (authorised_at, expires_at) ON bank.card_authorisation TO alder_app;

-- A virtual card keeps the account of its own, which tells what it paid, also once it is removed and account_id is where its
-- refunds go. Null of a main card, and of a card removed before this version that nobody paid with.
ALTER TABLE bank.card ADD COLUMN own_account_id bigint, ADD COLUMN removed_at timestamptz;
UPDATE bank.card SET own_account_id = account_id WHERE kind <> 'main' AND status <> 'removed';

-- Of cards that are removed already, what went back to the current account says both: its id is derived from the card's
-- (server/ledger/derived-id.ts). Where nothing was left on them, their payments do.
WITH hashed AS (
  SELECT id, sha256(convert_to(id || E'\nreturn', 'UTF8')) AS hash FROM bank.card WHERE status = 'removed'
), named AS (
  SELECT id, encode(set_byte(set_byte(substr(hash, 1, 16),
           6, (get_byte(hash, 6) & 15) | 128), 8, (get_byte(hash, 8) & 63) | 128), 'hex')::uuid AS return_id
    FROM hashed
), returned AS (
  SELECT n.id, t.debit_account AS account_id, o.booked_at AS at
    FROM named n JOIN ledger.operation o ON o.id = n.return_id JOIN ledger.transfer t ON t.operation_id = o.id
), paid AS (
  SELECT k.id, min(a.account_id) AS account_id, max(a.authorised_at) AS at
    FROM named n JOIN bank.card k ON k.id = n.id
    JOIN bank.card_authorisation a ON a.card_id = k.id AND a.account_id <> k.account_id
   GROUP BY k.id
)
UPDATE bank.card k
   SET own_account_id = coalesce(r.account_id, p.account_id),
       removed_at = coalesce(r.at, k.used_at, p.at, k.created_at)
  FROM named n LEFT JOIN returned r ON r.id = n.id LEFT JOIN paid p ON p.id = n.id
 WHERE k.id = n.id;
ALTER TABLE bank.card ADD CHECK ((status = 'removed') = (removed_at IS NOT NULL));
