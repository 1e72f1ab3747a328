-- A post or void is compared with its hold alone: planned while there were few transfers, the join went through all holds of
-- the bank, and went on to while they grew. The LIMIT leaves no other way than the index.
DO $$
DECLARE
  before CONSTANT text := pg_get_functiondef('ledger.apply_transfers()'::regprocedure);
  after CONSTANT text := regexp_replace(before,
    'LEFT JOIN ledger\.transfer h ON h\.hold_id = a\.hold_id AND h\.kind = ''hold''',
    'LEFT JOIN LATERAL (SELECT * FROM ledger.transfer
        WHERE hold_id = a.hold_id AND kind = ''hold'' LIMIT 1) h ON true');
BEGIN
  IF after = before THEN
    RAISE EXCEPTION 'ledger.apply_transfers() does not compare holds as 0081_day_limits.sql did';
  END IF;
  EXECUTE after;
END
$$;

-- What keeps a customer from leaving (server/rails/collections.ts).
CREATE INDEX collection_return_due ON bank.collection (customer_id) WHERE status = 'return_due';
