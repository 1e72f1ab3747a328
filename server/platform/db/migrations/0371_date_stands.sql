-- While the date moves day by day, it stands at each stop until the stop's work is done, however long that takes. What waits for
-- a moment of business time is kept then under that moment, a thousand years on, so that none of it begins before its stop
-- (server/platform/jobs/graphile.ts).

ALTER TABLE bank.clock_move
  ADD COLUMN stands_at timestamptz,
  -- When the date last arrived where it was going, in the world's time: no server has to work the days before that again.
  ADD COLUMN arrived_at timestamptz;

-- A date that was under way.
UPDATE bank.clock_move SET stands_at = clock_timestamp() + moved_ms * interval '1 millisecond'
  + coalesce((SELECT business_epoch - real_epoch FROM bank.clock), interval '0')
 WHERE target_ms > moved_ms;
DO $$
BEGIN
  IF to_regclass('graphile_worker._private_jobs') IS NOT NULL THEN
    UPDATE graphile_worker._private_jobs
       SET run_at = run_at + interval '31557600000 seconds' + moved_ms * interval '1 millisecond'
         + coalesce((SELECT business_epoch - real_epoch FROM bank.clock), interval '0')
      FROM bank.clock_move
     WHERE stands_at IS NOT NULL AND flags ? 'business_time' AND attempts = 0 AND locked_at IS NULL;
  END IF;
END $$;

DROP TRIGGER keep_live_date ON bank.clock_move;
UPDATE bank.clock_move SET moved_ms = target_ms;
ALTER TABLE bank.clock_move DROP COLUMN target_ms;

CREATE OR REPLACE FUNCTION bank.keep_live_date() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF NEW.moved_ms <> 0 AND NOT EXISTS (SELECT FROM bank.database WHERE mode = 'sample') THEN
    RAISE EXCEPTION 'the date of a live bank is not put forward';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_live_date BEFORE UPDATE ON bank.clock_move FOR EACH ROW EXECUTE FUNCTION bank.keep_live_date();
