/** The bank's email address and phone number for support. Both are reserved for fiction and belong to no one. */
export const SUPPORT = { email: 'help@alder.example', phone: '+1 800 555 0199' } as const
