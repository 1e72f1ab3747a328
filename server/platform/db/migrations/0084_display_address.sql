-- How the customer wrote a contact's address, which is what they are shown.
ALTER TABLE bank.contact RENAME COLUMN spelling TO display_address;
