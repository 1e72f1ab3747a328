import { Coin, Glow, Ground, Leaf, Mark, Motion, Picture, Sparkle } from '#web/onboarding/art/parts.tsx'

/** A card that is there at once, and money that is already on its way. */
export function Instant() {
  return (
    <Picture>
      <Motion kind="far">
        <Glow x={150} y={190} size={150} />
      </Motion>
      <Ground y={306} />
      <Way />
      <Speed />
      <Cards />
      <Motion kind="near">
        <Ground y={338} near />
        <Motion kind="pop" turn={0}>
          <Coin x={62} y={112} size={0.7} turn={-14} />
        </Motion>
        <Motion kind="pop" turn={1}>
          <Coin x={124} y={64} size={0.96} turn={-6} />
        </Motion>
        <Motion kind="pop" turn={2}>
          <Coin x={206} y={54} size={1.24} turn={8} />
        </Motion>
        <Motion kind="pop" turn={3}>
          <Bolt />
        </Motion>
        <Leaf x={46} y={342} turn={-18} size={0.72} />
        <Leaf x={50} y={344} turn={26} size={0.9} tone="deep" />
      </Motion>
    </Picture>
  )
}

/** The way the coins take, to a leaf that flies ahead of them. */
function Way() {
  return (
    <>
      <path
        d="M22 190C28 128 66 84 122 64C178 44 232 44 270 84"
        strokeWidth={3}
        strokeLinecap="round"
        strokeDasharray="1 10"
        className="stroke-(--poster-primary) opacity-55"
      />
      <Leaf x={262} y={76} turn={138} size={0.86} />
    </>
  )
}

function Speed() {
  return (
    <path
      d="M-6 236H22M-22 262H30M6 288H38"
      strokeWidth={5}
      strokeLinecap="round"
      className="stroke-(--poster-primary) opacity-35"
    />
  )
}

const CARD = { x: -112, y: -70, width: 224, height: 140, rx: 20 } as const

function Cards() {
  return (
    <>
      <g transform="translate(178 196) rotate(3) scale(0.94)">
        <rect {...CARD} y={-61} className="fill-(--poster-shade)" />
        <rect {...CARD} className="fill-(--poster-orange)" />
        <rect x={-112} y={-42} width={224} height={26} className="fill-brand-ink opacity-25" />
      </g>
      <g transform="translate(160 222) rotate(-11)">
        <rect {...CARD} y={-60} className="fill-(--poster-shade)" />
        <rect {...CARD} className="fill-brand" />
        <clipPath id="alder-card">
          <rect {...CARD} />
        </clipPath>
        <g clipPath="url(#alder-card)">
          <g strokeWidth={2} className="stroke-on-brand opacity-[0.16]">
            {[18, 34, 52, 72, 94, 118, 144].map((radius) => (
              <ellipse key={radius} cx={72} cy={52} rx={radius} ry={radius * 0.93} />
            ))}
          </g>
        </g>
        <rect
          {...CARD}
          x={-111}
          y={-69}
          width={222}
          height={138}
          rx={19}
          strokeWidth={1.5}
          className="stroke-on-brand opacity-20"
        />
        <Mark x={-82} y={-40} size={0.5} className="stroke-on-brand" />
        <Chip />
        <g className="fill-on-brand">
          {[0, 1, 2, 4, 5, 6].map((dot) => (
            <circle key={dot} cx={-91 + dot * 10} cy={46} r={2.8} opacity={0.75} />
          ))}
        </g>
        <path
          d="M76-49Q84-40 76-31M85-54Q97-40 85-26M94-59Q110-40 94-21"
          strokeWidth={3.4}
          strokeLinecap="round"
          transform="translate(-6 0)"
          className="stroke-on-brand opacity-75"
        />
      </g>
    </>
  )
}

function Chip() {
  return (
    <g transform="translate(-94 -10)">
      <rect width={36} height={27} rx={7} className="fill-[#eda277]" />
      <path
        d="M0 9.500H12V17.500H0M36 9.500H24V17.500H36M12 9.500V0M24 9.500V0M12 17.500V27M24 17.500V27"
        strokeWidth={1.6}
        className="stroke-brand-ink opacity-45"
      />
    </g>
  )
}

function Bolt() {
  return (
    <g transform="translate(262 286)">
      <circle cy={6} r={33} className="fill-(--poster-shade)" />
      <circle r={33} strokeWidth={1} className="fill-(--poster-pane) stroke-line" />
      <path
        d="M4-19L-12 3H-2L-5 19L12-5H2Z"
        strokeWidth={3}
        strokeLinejoin="round"
        className="fill-(--poster-orange) stroke-(--poster-orange)"
      />
      <Sparkle x={36} y={-34} size={0.55} className="fill-(--poster-orange)" />
    </g>
  )
}
