-- What counts to a limit counts on a day of the bank, as all else does: `ledger.day_of` says which that is.
DO $$
DECLARE
  before CONSTANT text := pg_get_functiondef('ledger.apply_transfers()'::regprocedure);
  after CONSTANT text := replace(before, $day$(booked_at AT TIME ZONE 'UTC')::date$day$, 'ledger.day_of(booked_at)');
BEGIN
  IF after = before THEN
    RAISE EXCEPTION 'ledger.apply_transfers() does not count days as 0081_day_limits.sql did';
  END IF;
  EXECUTE after;
END
$$;
