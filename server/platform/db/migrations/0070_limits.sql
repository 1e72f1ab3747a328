-- What a customer has moved on a day of the bank's, one row for each way: a new day takes the place of the one before.
CREATE TABLE bank.day_use (
  customer_id uuid NOT NULL REFERENCES bank.customer,
  direction   text NOT NULL CHECK (direction IN ('in', 'out')),
  day         date NOT NULL,
  used_minor  bigint NOT NULL CHECK (used_minor >= 0),
  -- The operations counted last, so that a request which is sent again meanwhile is known for what it is.
  recent      uuid[] NOT NULL,
  PRIMARY KEY (customer_id, direction)
) WITH (fillfactor = 60); -- room beside each row, so that a new sum needs no new index entry
GRANT SELECT, INSERT, UPDATE ON bank.day_use TO alder_app;
