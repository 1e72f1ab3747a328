import { z } from 'zod'

export const me = z.object({
  customer: z.object({ fullName: z.string(), email: z.string(), initials: z.string() }),
  /** Which mode the bank runs in, so that the screens may say so; it decides nothing. */
  mode: z.enum(['sample', 'live']),
})
export type Me = z.infer<typeof me>
