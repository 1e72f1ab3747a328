/** How the bank is written to and called. The number is one of those that nobody is given, as is the domain. */
export const SUPPORT = { email: 'help@alder.example', phone: '+1 800 555 0199' } as const
