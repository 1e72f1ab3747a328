-- What customers are about to pay for each fund, kept up with every order: a purchase is checked against it under the
-- lock of the market maker's account, where adding up all that are pending would hold up everybody else.
CREATE TABLE bank.fund_pending (
  fund         text PRIMARY KEY CHECK (fund IN ('FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE')),
  -- US cents, fees included.
  amount_minor bigint NOT NULL DEFAULT 0 CHECK (amount_minor >= 0)
);
INSERT INTO bank.fund_pending
SELECT named.fund, coalesce(sum(o.amount_minor), 0)
  FROM unnest(ARRAY['FUND_CONSERVATIVE', 'FUND_BALANCED', 'FUND_AGGRESSIVE']) AS named (fund)
  LEFT JOIN bank.fund_order o ON o.fund = named.fund AND o.status = 'pending' AND o.side = 'buy'
 GROUP BY named.fund;
GRANT SELECT ON bank.fund_pending TO alder_app;

CREATE FUNCTION bank.count_pending_purchase() RETURNS trigger
  LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  UPDATE bank.fund_pending
     SET amount_minor = amount_minor + CASE WHEN NEW.status = 'pending' THEN NEW.amount_minor ELSE 0 END
                                     - CASE WHEN TG_OP = 'UPDATE' AND OLD.status = 'pending' THEN OLD.amount_minor ELSE 0 END
   WHERE fund = NEW.fund;
  RETURN NULL;
END
$$;
REVOKE EXECUTE ON FUNCTION bank.count_pending_purchase() FROM PUBLIC;

CREATE TRIGGER count_placed_purchase AFTER INSERT ON bank.fund_order
  FOR EACH ROW WHEN (NEW.side = 'buy' AND NEW.status = 'pending') EXECUTE FUNCTION bank.count_pending_purchase();
CREATE TRIGGER count_ended_purchase AFTER UPDATE OF status ON bank.fund_order
  FOR EACH ROW WHEN (NEW.side = 'buy' AND OLD.status <> NEW.status) EXECUTE FUNCTION bank.count_pending_purchase();

-- Only that sum was read by it.
DROP INDEX bank.fund_order_pending_in_fund;
