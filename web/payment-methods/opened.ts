/** What the screen has opened in a sheet. */
export type Opened = { what: 'link' } | { what: 'account' | 'mandate'; id: string }

export type SheetState = { open: boolean; onOpenChange: (open: boolean) => void }
