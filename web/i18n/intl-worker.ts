// The browser loads its locale data when a page formats its first number, and again for the first date. This takes a tenth of a
// second on a slow phone, while the first amounts are drawn. In a worker, it does not block the page.
void [new Intl.NumberFormat('en'), new Intl.DateTimeFormat('en')]
self.close()
