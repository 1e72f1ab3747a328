/** The steps of identity verification, in their order. */
export const KYC_STEPS = ['id', 'selfie', 'address'] as const
export type KycStep = (typeof KYC_STEPS)[number]

/** What may prove each step, by the key that is kept; the names are in English. */
export const DOCUMENT_TYPES = {
  id: { passport: 'Passport', drivers_license: "Driver's License", national_id: 'National ID' },
  selfie: { selfie: 'Selfie' },
  address: { utility_bill: 'Utility Bill', bank_statement: 'Bank Statement' },
} as const satisfies Record<KycStep, Record<string, string>>

export const DOCUMENT_TYPE_KEYS = [
  'passport',
  'drivers_license',
  'national_id',
  'selfie',
  'utility_bill',
  'bank_statement',
] as const
export type DocumentType = (typeof DOCUMENT_TYPE_KEYS)[number]

/** The kinds of file a document may be uploaded as, and how large, in bytes. A JPEG is kept of each. */
export const DOCUMENT_MEDIA = ['image/jpeg', 'image/png', 'application/pdf'] as const

export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024

/** How many pages a PDF may have. */
export const MAX_PDF_PAGES = 10

/**
 * required: documents are missing. submitted: a reviewer has it. approved: the customer is who they say.
 * rejected: they are not let further. again: the reviewer asks for documents anew. `reason` goes with the last two.
 */
export const KYC_STATUSES = ['required', 'submitted', 'approved', 'rejected', 'again'] as const
export type KycStatus = (typeof KYC_STATUSES)[number]
