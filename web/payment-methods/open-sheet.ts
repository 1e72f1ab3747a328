/** The content of the open sheet. */
export type OpenPaymentMethodSheet = { what: 'link' } | { what: 'account' | 'mandate'; id: string }

export type SheetState = { open: boolean; onOpenChange: (open: boolean) => void }
