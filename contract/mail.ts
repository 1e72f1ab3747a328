import { z } from 'zod'
import { instant } from '#contract/common.ts'

/** A mail as its reader has it. `createdAt` is business time. */
export const mail = z.object({
  id: z.string(),
  /** What it is about: 'confirm_email'. */
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  /** What it is written in, as HTML's `lang` says it. */
  language: z.string(),
  createdAt: instant,
})
export type Mail = z.infer<typeof mail>

/** A mail as a program that shows HTML shows it. */
export const mailAsHtml = z.object({ html: z.string() })

/** A text message as the sample mailbox shows it. `createdAt` is business time. */
export const textMessage = z.object({
  id: z.string(),
  to: z.string(),
  text: z.string(),
  language: z.string(),
  createdAt: instant,
})
export type TextMessage = z.infer<typeof textMessage>

export const mailbox = z.object({ mails: z.array(mail), texts: z.array(textMessage) })
