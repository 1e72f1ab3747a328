-- The network zone of a caller, by its name.
ALTER TABLE bank.session RENAME COLUMN place TO network_zone;
ALTER TABLE bank.security_event RENAME COLUMN place TO network_zone;
