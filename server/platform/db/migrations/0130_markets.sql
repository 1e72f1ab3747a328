-- What the bank believed that funds and coins cost, where prices come from outside. A sample bank's are generated.
CREATE TABLE bank.price (
  asset        text NOT NULL,
  -- When it was published, as its publisher says.
  at           timestamptz NOT NULL,
  -- Millionths of a US dollar for one whole coin or unit.
  price_micros bigint NOT NULL CHECK (price_micros BETWEEN 1 AND 9007199254740991),
  PRIMARY KEY (asset, at)
);
GRANT SELECT, INSERT, DELETE ON bank.price TO alder_app;

-- Markets whose prices cannot be believed, with the last such price.
CREATE TABLE bank.market_halt (
  asset        text PRIMARY KEY,
  reason       text NOT NULL CHECK (reason IN ('future', 'jump')),
  since        timestamptz NOT NULL,
  price_micros bigint NOT NULL CHECK (price_micros BETWEEN 1 AND 9007199254740991),
  price_at     timestamptz NOT NULL
);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.market_halt TO alder_app;

-- The market maker's accounts have a floor: what the bank may owe its customers. It follows the bank's policy, so the
-- owner may change it, on the bank's own accounts alone.
CREATE OR REPLACE FUNCTION ledger.account_keeps_its_nature() RETURNS trigger
  LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF OLD.holder_id IS NULL AND NEW.holder_id IS NULL
    AND (NEW.id, NEW.code, NEW.asset) = (OLD.id, OLD.code, OLD.asset) THEN
    RETURN NEW;
  END IF;
  RAISE EXCEPTION 'account % keeps its number, holder, code, asset and floor', OLD.id USING ERRCODE = 'insufficient_privilege';
END
$$;
