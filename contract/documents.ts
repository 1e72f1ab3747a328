/** The steps of identity verification, in their order. */
export const KYC_STEPS = ['id', 'selfie', 'address'] as const
export type KycStep = (typeof KYC_STEPS)[number]

/** The documents that are accepted at each step. The keys are stored; the names are in English. */
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

/** The media types of uploaded documents. The bank converts each document to a JPEG and stores only the JPEG. */
export const DOCUMENT_MEDIA = ['image/jpeg', 'image/png', 'application/pdf'] as const

export const MAX_DOCUMENT_BYTES = 10 * 1024 * 1024

/** The maximum number of pages of a PDF. */
export const MAX_PDF_PAGES = 10

/**
 * The statuses of a customer's identity verification. `required`: documents are missing. `submitted`: a reviewer must decide.
 * `approved`: the identity is verified. `rejected`: the verification failed. `again`: the reviewer requests new documents. Only
 * `rejected` and `again` have a reason.
 */
export const KYC_STATUSES = ['required', 'submitted', 'approved', 'rejected', 'again'] as const
export type KycStatus = (typeof KYC_STATUSES)[number]
