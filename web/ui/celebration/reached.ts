/** What has been reached: in a few words, and a sentence. */
export type Reached = { title: string; text: string }
