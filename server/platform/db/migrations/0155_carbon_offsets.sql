-- What customers paid to have offset: so many grams of what their spending of a month emitted. The certificate's number is
-- read off the operation's id.
CREATE TABLE bank.carbon_offset (
  operation_id uuid PRIMARY KEY,
  -- The order of it.
  number       bigint NOT NULL GENERATED ALWAYS AS IDENTITY UNIQUE,
  customer_id  uuid NOT NULL REFERENCES bank.customer,
  -- Its first day.
  month        date NOT NULL CHECK (extract(day FROM month) = 1),
  grams        bigint NOT NULL CHECK (grams > 0),
  -- US cents.
  amount_minor bigint NOT NULL CHECK (amount_minor > 0),
  -- Of a sample bank, which pays nobody.
  is_sample    boolean NOT NULL,
  -- Business time.
  offset_at    timestamptz NOT NULL
);
CREATE INDEX carbon_offset_of_customer ON bank.carbon_offset (customer_id, number);
GRANT SELECT, INSERT ON bank.carbon_offset TO alder_app;
