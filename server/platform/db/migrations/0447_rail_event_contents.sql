-- A digest of all that an event said: told again under its name, it says the same. Those of earlier versions have none.
ALTER TABLE bank.rail_event ADD COLUMN digest text;
