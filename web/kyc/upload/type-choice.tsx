import { useLingui } from '@lingui/react/macro'
import { RadioGroup } from 'radix-ui'
import type { DocumentType, KycStep } from '#contract/documents.ts'
import { documentTypeText } from '#web/i18n/document-words.ts'
import { STEPS, typesOf } from '#web/kyc/steps.ts'
import { useDirection } from '#web/ui/direction.ts'

type TypeChoiceProps = { step: KycStep; value: DocumentType; onChange: (type: DocumentType) => void }

/** Which kind of document it is, where a step takes more than one. */
export function TypeChoice({ step, value, onChange }: TypeChoiceProps) {
  const { t } = useLingui()
  const direction = useDirection()
  const types = typesOf(step)
  const { choice } = STEPS[step]
  if (!choice) return null
  return (
    <RadioGroup.Root
      dir={direction}
      aria-label={t(choice)}
      value={value}
      onValueChange={(next) => {
        const chosen = types.find((type) => type === next)
        if (chosen) onChange(chosen)
      }}
      className="flex flex-wrap gap-1.5"
    >
      {types.map((type) => (
        <RadioGroup.Item
          key={type}
          value={type}
          className="min-h-11 grow rounded-full border border-line px-2 text-sm font-medium text-ink-soft transition-colors hover:bg-muted data-[state=checked]:border-primary data-[state=checked]:bg-primary-subtle data-[state=checked]:font-semibold data-[state=checked]:text-primary"
        >
          {documentTypeText(type)}
        </RadioGroup.Item>
      ))}
    </RadioGroup.Root>
  )
}
