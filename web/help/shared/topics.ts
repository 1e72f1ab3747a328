/** The topics of help in their displayed order. */
export const HELP_TOPICS = ['cards', 'security', 'account', 'payments'] as const
export type HelpTopic = (typeof HELP_TOPICS)[number]

export const isHelpTopic = (text: string): text is HelpTopic => (HELP_TOPICS as readonly string[]).includes(text)
