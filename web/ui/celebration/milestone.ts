/** The text of a milestone: a short title and a sentence. */
export type CelebratedMilestone = { title: string; text: string }
