-- A key names one request, whether that moves money or not. The ledger's operations have the only unique index that every
-- payment goes through, so a request of another kind takes its key there too, as an operation without transfers. Two
-- requests of the same instant meet in that index, and a payment costs no more for it.

-- Whose request it was, where it moved no money: only they are told, later, that it was carried out.
ALTER TABLE ledger.operation ADD COLUMN requested_by uuid;

-- Before the work: a request whose key is known to the ledger is another one, or one that was forgotten and must not be
-- done again. A refused payment may be asked for again, so that it is refused in the same way.
CREATE FUNCTION bank.check_request_key() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF EXISTS (SELECT FROM ledger.operation WHERE id = NEW.key)
     OR EXISTS (SELECT FROM ledger.refusal WHERE operation_id = NEW.key AND fingerprint <> NEW.fingerprint) THEN
    RAISE EXCEPTION 'the key % is known to the ledger', NEW.key
      USING ERRCODE = 'unique_violation', CONSTRAINT = 'request_key_unknown';
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER request_key_unknown AFTER INSERT ON bank.request
  FOR EACH ROW WHEN (NEW.fingerprint <> '') EXECUTE FUNCTION bank.check_request_key();

-- After the work: unless the request has booked an operation of that id itself, its key is taken now. Where another
-- request is just taking it, this waits, and then one of the two fails by the primary key.
CREATE FUNCTION bank.take_request_key() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM ledger.operation WHERE id = NEW.key AND fingerprint = NEW.fingerprint) THEN
    INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, requested_by)
      VALUES (NEW.key, 'request', NEW.fingerprint, NEW.made_at, NEW.customer_id);
  END IF;
  RETURN NULL;
END
$$;
CREATE TRIGGER request_key_taken AFTER UPDATE OF result ON bank.request
  FOR EACH ROW EXECUTE FUNCTION bank.take_request_key();

INSERT INTO ledger.operation (id, kind, fingerprint, booked_at, requested_by)
  SELECT key, 'request', fingerprint, made_at, customer_id FROM bank.request WHERE fingerprint <> '' AND result IS NOT NULL
  ON CONFLICT (id) DO NOTHING;
