-- Who returns to a group does so at the address they were invited at now.
GRANT UPDATE (address) ON bank.bill_group_member TO alder_app;
