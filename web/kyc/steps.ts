import { House, IdCard, type LucideIcon, ScanFace } from 'lucide-react'
import { DOCUMENT_MEDIA, DOCUMENT_TYPES, type DocumentType, KYC_STEPS, type Kyc, type KycStep } from '#contract/kyc.ts'
import type { FileRules } from '#web/lib/upload.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/kyc.ts'

/** What a person reads about each step. */
export const STEPS: Record<KycStep, { title: string; description: string; tip: string; icon: LucideIcon }> = {
  id: {
    title: 'Identity Document',
    description: "Passport, driver's license or national ID",
    tip: 'All four corners in view, nothing covered, no glare.',
    icon: IdCard,
  },
  selfie: {
    title: 'Take a Selfie',
    description: 'A photo of your face, as you look today',
    tip: 'Look straight ahead, in good light, without glasses or a hat.',
    icon: ScanFace,
  },
  address: {
    title: 'Proof of Address',
    description: 'Utility bill or bank statement',
    tip: 'Your name and address on it, from the last three months.',
    icon: House,
  },
}

/** The kinds of document a step takes, in the order they are offered. */
export function typesOf(step: KycStep): [DocumentType, string][] {
  return Object.entries(DOCUMENT_TYPES[step]) as [DocumentType, string][]
}

/** What a person reads for a kind of document. */
export function typeLabel(type: DocumentType): string {
  return KYC_STEPS.flatMap(typesOf).find(([key]) => key === type)?.[1] ?? type
}

/** A face is no PDF. */
export function rulesOf(step: KycStep): FileRules {
  const media = step === 'selfie' ? DOCUMENT_MEDIA.filter((kind) => kind.startsWith('image/')) : DOCUMENT_MEDIA
  return { media, maxBytes: MAX_DOCUMENT_BYTES }
}

export function documentOf({ documents }: Pick<Kyc, 'documents'>, step: KycStep) {
  return documents.find((document) => document.step === step)
}

/** The first step without a document, looking onwards from `from` and then from the beginning; null where all are done. */
export function nextPending(kyc: Pick<Kyc, 'documents'>, from: KycStep | null = null): KycStep | null {
  const start = from === null ? 0 : KYC_STEPS.indexOf(from) + 1
  const order = [...KYC_STEPS.slice(start), ...KYC_STEPS.slice(0, start)]
  return order.find((step) => !documentOf(kyc, step)) ?? null
}
