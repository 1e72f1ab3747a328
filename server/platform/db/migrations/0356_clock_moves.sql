-- By how much the business date was moved since bank.clock was written, in milliseconds, and by how much it is to be. Where
-- it is not there yet, the days between are worked one after the other (server/platform/jobs/date-walk.ts). One row, which
-- whoever moves the clock or plans something for a moment of it locks. The date of a live bank is never ahead of the world's.

CREATE TABLE bank.clock_move (
  one_row   boolean PRIMARY KEY DEFAULT true CHECK (one_row),
  moved_ms  bigint NOT NULL DEFAULT 0,
  target_ms bigint NOT NULL DEFAULT 0 CHECK (target_ms >= moved_ms)
);
INSERT INTO bank.clock_move DEFAULT VALUES;
GRANT SELECT, UPDATE ON bank.clock_move TO alder_app;

CREATE FUNCTION bank.keep_live_date() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
BEGIN
  IF NEW.target_ms <> 0 AND NOT EXISTS (SELECT FROM bank.database WHERE mode = 'sample') THEN
    RAISE EXCEPTION 'the date of a live bank is not put forward';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER keep_live_date BEFORE UPDATE ON bank.clock_move FOR EACH ROW EXECUTE FUNCTION bank.keep_live_date();
