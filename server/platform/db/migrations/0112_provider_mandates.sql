-- simulated: the bank's own, of an invented biller. provider: asked for through the rail's provider, which is told how it stands.
ALTER TABLE bank.mandate
  ADD COLUMN rail text NOT NULL DEFAULT 'simulated' CHECK (rail IN ('simulated', 'provider'));

-- A provider tells of mandates and direct debits too.
ALTER TABLE bank.rail_event RENAME COLUMN operation_id TO subject_id;

-- What the dashboard looks ahead to; what is over is read by its mandate.
CREATE INDEX direct_debit_announced ON bank.direct_debit (customer_id, due_on) WHERE status = 'announced';
DROP INDEX bank.direct_debit_customer;
