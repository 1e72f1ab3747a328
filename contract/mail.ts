import { z } from 'zod'
import { instant } from '#contract/common.ts'

/** An email as its recipient sees it. `createdAt` is in business time. */
export const mail = z.object({
  id: z.string(),
  /** The kind of email, such as 'confirm_email'. */
  kind: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  /** The language of the email, as a value of HTML's `lang` attribute. */
  language: z.string(),
  createdAt: instant,
})
export type Mail = z.infer<typeof mail>

/** An email in HTML. */
export const mailAsHtml = z.object({ html: z.string() })

/** A text message in the sample mailbox. `createdAt` is in business time. */
export const textMessage = z.object({
  id: z.string(),
  to: z.string(),
  text: z.string(),
  language: z.string(),
  createdAt: instant,
})
export type TextMessage = z.infer<typeof textMessage>

export const mailbox = z.object({ mails: z.array(mail), texts: z.array(textMessage) })
