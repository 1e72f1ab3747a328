import { fold } from '#contract/folding.ts'
import { avatarText } from '#contract/initials.ts'
import marks from '#web/accounts/shared/merchant-marks.svg'
import { pickByName } from '#web/ui/pick-by-name.ts'
import { cx } from '#web/ui/cx.ts'

/** The background colors of merchants (web/styles.css). */
const COLORS = {
  brick: 'bg-mark-brick',
  copper: 'bg-mark-copper',
  ochre: 'bg-mark-ochre',
  moss: 'bg-mark-moss',
  pine: 'bg-mark-pine',
  teal: 'bg-mark-teal',
  sky: 'bg-mark-sky',
  navy: 'bg-mark-navy',
  violet: 'bg-mark-violet',
  plum: 'bg-mark-plum',
  rose: 'bg-mark-rose',
  slate: 'bg-mark-slate',
} as const
const ALL_COLORS = Object.values(COLORS) as [string, ...string[]]

/** The merchants with a picture in merchant-marks.svg, by their folded names. */
const PICTURED: Readonly<Record<string, keyof typeof COLORS>> = {
  'copper kettle coffee': 'copper',
  'corner bakehouse': 'ochre',
  greenmarket: 'moss',
  'harvest & rye': 'ochre',
  'noodle lantern': 'brick',
  'olive tree kitchen': 'moss',
  'fieldnote books': 'navy',
  'maple & thread': 'rose',
  'brightside home': 'sky',
  'pixel harbor': 'violet',
  'wren papers': 'teal',
  'city metro': 'navy',
  'swift cabs': 'slate',
  'northline rail': 'brick',
  fuelway: 'pine',
  'lumen cinema': 'plum',
  streamly: 'violet',
  'the attic stage': 'brick',
  'arcade nine': 'rose',
  'cafe alfama': 'sky',
  'tasca do rio': 'teal',
  'pastelaria luz': 'ochre',
  'mercado velho': 'copper',
  'bar miradouro': 'plum',
  'brightwater energy': 'sky',
  'fernline broadband': 'pine',
  'willow mobile': 'moss',
  'northgate water': 'teal',
  'cedar insurance': 'pine',
  'stonebridge gym': 'slate',
  'larkfield news': 'navy',
  'northwind studio': 'slate',
}

const SIZES = {
  row: 'size-11 rounded-control text-[0.9375rem] [&>svg]:size-7',
  hero: 'size-16 rounded-[1.25rem] text-xl [&>svg]:size-10',
} as const

type MerchantMarkProps = { name: string; size?: keyof typeof SIZES; className?: string }

/**
 * Shows a merchant's or biller's mark: its picture, or its initials if it has none. Marks of people are round; marks of
 * companies are square. The name is shown beside the mark, so a screen reader skips the mark.
 */
export function MerchantMark({ name, size = 'row', className }: MerchantMarkProps) {
  const foldedName = fold(name)
  const pictureColor = PICTURED[foldedName]
  return (
    <span
      aria-hidden
      data-mark
      className={cx(
        'grid shrink-0 place-items-center font-semibold text-on-brand',
        pictureColor ? COLORS[pictureColor] : pickByName(foldedName, ALL_COLORS),
        SIZES[size],
        className,
      )}
    >
      {pictureColor ? <Picture id={foldedName.replaceAll(/[^a-z]+/g, '-')} /> : avatarText(name)}
    </span>
  )
}

const Picture = ({ id }: { id: string }) => (
  <svg fill="currentColor" strokeWidth="1.8" strokeLinecap="round" strokeLinejoin="round">
    <use href={`${marks}#${id}`} />
  </svg>
)
