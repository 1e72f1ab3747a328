-- A savings goal: a name and a target on a ledger account of its own.
CREATE TABLE bank.goal (
  id           uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  account_id   bigint NOT NULL UNIQUE,
  name         text NOT NULL,
  icon         text NOT NULL,
  target_minor bigint NOT NULL CHECK (target_minor > 0),
  asset        text NOT NULL,
  place        integer NOT NULL,
  UNIQUE (customer_id, place)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON bank.goal TO alder_app;
