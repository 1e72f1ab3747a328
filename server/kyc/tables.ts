import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { DocumentType, KycStatus, KycStep, ReviewAct } from '#contract/kyc.ts'
import type { MediaType } from '#server/kyc/documents/media-type.ts'

type Fixed<Value> = ColumnType<Value, Value, never>

type CaseTable = {
  id: Fixed<string>
  customer_id: Fixed<string>
  status: Generated<KycStatus>
  reason: string | null
  created_at: Fixed<Date>
  submitted_at: ColumnType<Date | null, never, Date>
}

type DocumentTable = {
  id: Fixed<string>
  customer_id: Fixed<string>
  step: Fixed<KycStep>
  type: Fixed<DocumentType>
  /** A JPEG, or a PDF from before only pictures were kept. */
  media_type: Fixed<MediaType>
  size_bytes: Fixed<number>
  uploaded_at: Fixed<Date>
  /** Sealed (server/kyc/documents/service.ts). */
  content: Fixed<Buffer>
}

type ReviewTable = {
  id: GeneratedAlways<number>
  case_id: Fixed<string>
  reviewer_id: Fixed<string | null>
  act: Fixed<ReviewAct['act']>
  document_id: ColumnType<string | null, string | undefined, never>
  document_type: ColumnType<DocumentType | null, DocumentType | undefined, never>
  session_id: ColumnType<string | null, string | undefined, never>
  reason: ColumnType<string | null, string | undefined, never>
  acted_at: Fixed<Date>
}

type AllowanceUseTable = {
  operation_id: Fixed<string>
  customer_id: Fixed<string>
  direction: Fixed<'in' | 'out'>
  amount_minor: Fixed<number>
  used_at: Fixed<Date>
}

export type KycTables = {
  'bank.kyc_case': CaseTable
  'bank.kyc_document': DocumentTable
  'bank.kyc_review': ReviewTable
  'bank.allowance_use': AllowanceUseTable
}
