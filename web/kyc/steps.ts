import type { MessageDescriptor } from '@lingui/core'
import { msg } from '@lingui/core/macro'
import { House, IdCard, type LucideIcon, ScanFace } from 'lucide-react'
import { DOCUMENT_MEDIA, DOCUMENT_TYPES, type DocumentType, KYC_STEPS, type KycStep } from '#contract/documents.ts'
import type { Kyc } from '#contract/kyc.ts'
import type { FileRules } from '#web/lib/upload.ts'
import { MAX_DOCUMENT_BYTES } from '#contract/documents.ts'

type StepWords = {
  title: MessageDescriptor
  description: MessageDescriptor
  tip: MessageDescriptor
  /** The label of the choice of a document's type, or null if there is only one type. */
  choice: MessageDescriptor | null
  /** The label of the file field. */
  file: MessageDescriptor
  uploaded: MessageDescriptor
  icon: LucideIcon
}

/** The texts of each step. */
export const KYC_STEP_WORDS: Record<KycStep, StepWords> = {
  id: {
    title: msg`Identity Document`,
    description: msg`Passport, driver's license or national ID`,
    tip: msg`All four corners in view, nothing covered, no glare.`,
    choice: msg`Type of identity document`,
    file: msg`A file for Identity Document`,
    uploaded: msg`Identity Document uploaded successfully`,
    icon: IdCard,
  },
  selfie: {
    title: msg`Take a Selfie`,
    description: msg`A photo of your face as you look today`,
    tip: msg`Look straight ahead, in good light, without glasses or a hat.`,
    choice: null,
    file: msg`A file for Take a Selfie`,
    uploaded: msg`Take a Selfie uploaded successfully`,
    icon: ScanFace,
  },
  address: {
    title: msg`Proof of Address`,
    description: msg`Utility bill or bank statement`,
    tip: msg`It must show your name and address, and be from the last three months.`,
    choice: msg`Type of proof of address`,
    file: msg`A file for Proof of Address`,
    uploaded: msg`Proof of Address uploaded successfully`,
    icon: House,
  },
}

/** Returns the types of documents that a step accepts, in the order of the choice. */
export function typesOf(step: KycStep): DocumentType[] {
  return Object.keys(DOCUMENT_TYPES[step]) as DocumentType[]
}

/** Returns the rules for a step's files. A selfie cannot be a PDF. */
export function rulesOf(step: KycStep): FileRules {
  const media = step === 'selfie' ? DOCUMENT_MEDIA.filter((kind) => kind.startsWith('image/')) : DOCUMENT_MEDIA
  return { media, maxBytes: MAX_DOCUMENT_BYTES }
}

export function documentOf({ documents }: Pick<Kyc, 'documents'>, step: KycStep) {
  return documents.find((document) => document.step === step)
}

/**
 * Returns the first step without a document, searching from `from` and then from the beginning. Returns null if all steps are
 * done.
 */
export function nextPending(kyc: Pick<Kyc, 'documents'>, from: KycStep | null = null): KycStep | null {
  const start = from === null ? 0 : KYC_STEPS.indexOf(from) + 1
  const orderedSteps = [...KYC_STEPS.slice(start), ...KYC_STEPS.slice(0, start)]
  return orderedSteps.find((step) => !documentOf(kyc, step)) ?? null
}
