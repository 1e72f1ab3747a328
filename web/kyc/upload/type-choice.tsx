import { useLingui } from '@lingui/react/macro'
import { useId } from 'react'
import type { DocumentType, KycStep } from '#contract/documents.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { KYC_STEP_WORDS, typesOf } from '#web/kyc/steps.ts'

type TypeChoiceProps = { step: KycStep; value: DocumentType; onChange: (type: DocumentType) => void }

/** Lets the customer choose the type of document if a step accepts several. */
export function TypeChoice({ step, value, onChange }: TypeChoiceProps) {
  const { t } = useLingui()
  const name = useId()
  const types = typesOf(step)
  const { choice } = KYC_STEP_WORDS[step]
  if (!choice) return null
  return (
    <div role="radiogroup" aria-label={t(choice)} className="flex flex-wrap gap-1.5">
      {types.map((type) => (
        <label
          key={type}
          className="relative grid min-h-11 grow place-items-center rounded-full border border-line px-2 text-sm font-medium text-ink-soft transition-colors hover:bg-muted has-checked:border-primary has-checked:bg-primary-subtle has-checked:font-semibold has-checked:text-primary has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary"
        >
          <input
            type="radio"
            name={name}
            checked={type === value}
            onChange={() => onChange(type)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {documentTypeText(type)}
        </label>
      ))}
    </div>
  )
}
