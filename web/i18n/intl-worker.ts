// A browser reads what it knows of languages when a page formats its first number, and again for its first date: a
// tenth of a second on a slow phone, just as the first amounts are drawn. Done here, the page is not held up by it.
void [new Intl.NumberFormat('en'), new Intl.DateTimeFormat('en')]
self.close()
