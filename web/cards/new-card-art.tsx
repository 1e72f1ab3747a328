import { useLingui } from '@lingui/react/macro'
import type { CardLook } from '#contract/card-terms.ts'
import { CardDrawing } from '#web/cards/card-drawing.tsx'

type NewCardArtProps = { name: string; look: CardLook }

/**
 * Previews a new card. The preview is low enough to keep the form in view. A screen reader reads the form's fields, which
 * contain the same information.
 */
export function NewCardArt({ name, look }: NewCardArtProps) {
  const { t } = useLingui()
  return (
    <div
      aria-hidden
      className={`card-art card-${look.colour} relative isolate flex min-h-32 flex-col justify-between overflow-hidden rounded-[1.25rem] p-5 text-on-brand shadow-card`}
    >
      <span className="absolute inset-0 -z-10">
        <CardDrawing look={look} />
      </span>
      <span className="text-lg font-semibold tracking-tight">Alder</span>
      <span className="line-clamp-2 text-[1.0625rem] leading-snug font-semibold tracking-tight [overflow-wrap:anywhere]">
        <bdi>{name.trim() || t`Online shopping`}</bdi>
      </span>
    </div>
  )
}
