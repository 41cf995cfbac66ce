/** Share: the contents of a link in words, and its length. The choice with the least data is the default. */

import { Fragment, type ReactNode, useId, useMemo, useState } from 'react';
import { emptyLayers } from '#engine/capture/containers/packets-layers.ts';
import { heldTypes } from '#engine/cost/held-types.ts';
import { memberNames } from '#engine/cost/member-names.ts';
import type { Profile } from '#engine/cost/profile.ts';
import type { Excerpt } from '#engine/inspect/excerpt.ts';
import { NATIVE_PROFILES } from '#engine/native/profiles.ts';
import { excerptOf } from '#figures/excerpt-of.ts';
import type { FigureSubject } from '#figures/subject.ts';
import { APP_VERSION } from '#permalink/app-version.ts';
import { printAnalysisFile } from '#permalink/file.ts';
import type { Shared, SharedData } from '#permalink/shared.ts';
import { shareKinds } from '#state/addresses/share.ts';
import { useActions, useApp } from '#state/context.tsx';
import { isOnThisMachine } from '#state/kept/own-machine.ts';
import { holdsSecrets } from '#state/kept/without-secrets.ts';
import { shownBits } from '#state/measured/shown-bits.ts';
import { matrixByOf, sharedMatrix, shownMatrix } from '#state/measured/shown-matrix.ts';
import { usePairAfter } from '#state/measured/use-measured-sides.ts';
import { inputName, shownProfile } from '#state/shown-profile.ts';
import { useShownSource } from '#state/use-shown-source.ts';
import { excerptContents } from '#wording/excerpt-words.ts';
import { formatCount } from '#wording/number-text.ts';
import { blockedSite, SHARE_NOTES } from '#wording/share-notes.ts';
import {
  baselineWords,
  lengthWords,
  memberNamesWords,
  SHARE_TITLES,
  type ShareFacts,
  type ShareKind,
  shareWords,
} from '#wording/share-words.ts';
import { saveFile } from '../message/save-file.ts';
import { Modal } from '../modal/modal.tsx';
import { COPY_REFUSED, copyText } from './copy-text.ts';
import { FigureExport } from './figure-export.tsx';
import { LengthScale } from './length-scale.tsx';
import { type ShareOffer, useSharing } from './use-sharing.ts';

const WAYS = ['Link', 'Figures'] as const;

/** Loaded when it is first opened; calls `onClose` when it is closed. */
export function ShareDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const id = useId();
  const kindsKey = useApp((state) => shareKinds(state).join(' '));
  const kinds = useMemo(() => kindsKey.split(' ') as readonly ShareKind[], [kindsKey]);
  const title = useApp(inputName);
  const origin = useApp(({ session }) => session.input?.origin);
  const baseline = useApp(({ session }) => session.baseline);
  const profile = useApp(shownProfile);
  const facts = useFacts();
  const [name, setName] = useState(title);
  const [address, setAddress] = useState(origin?.kind === 'address' ? origin.address : '');
  const [way, setWay] = useState<(typeof WAYS)[number]>('Link');
  const excerpt = useExcerpt();
  const [isCarried, carry] = useState(false);
  const [kind, setKind] = useState<ShareKind>(kinds[0] ?? 'profile');
  const [isCompressed, sayCompressed] = useState(false);
  const offers = useSharing(kinds, name, address, isCarried ? excerpt : null);
  const sizes = isMade(offers.profile) ? compressedOf(offers.profile.shared.data) : null;
  const { unreadableOrigin } = useActions();
  const unreadable = kind === 'address' ? unreadableOrigin(address) : null;
  const offer = offers[kind];
  const subject = useSubject(name, excerpt, isCompressed ? sizes : null);
  return (
    <Modal
      labelledBy={id}
      onClose={onClose}
      className="mx-auto mt-[max(1rem,(100vh-46rem)/2)] mb-auto max-h-[calc(100vh-2rem)] w-[40rem] max-w-[calc(100vw-2rem)] overflow-auto p-5"
    >
      <div className="mb-2 flex flex-wrap items-baseline gap-x-4">
        <h2 id={id} className="text-base font-semibold">
          Share this analysis
        </h2>
        <fieldset className="ml-auto flex gap-1">
          <legend className="sr-only">As what</legend>
          {WAYS.map((key) => (
            <button key={key} type="button" className="control" aria-pressed={key === way} onClick={() => setWay(key)}>
              {key}
            </button>
          ))}
        </fieldset>
      </div>
      {way === 'Figures' && subject && (
        <>
          <FigureExport
            subject={subject}
            shared={sharedOf(offers.profile)}
            name={fileName(name)}
            carrying={excerpt && <CarryExcerpt excerpt={excerpt} isCarried={isCarried} carry={carry} />}
            isCarried={isCarried}
            names={<MemberNames of={subject.profile} />}
            compressing={
              sizes && (
                <label className="flex cursor-pointer items-center gap-1" data-term="paid">
                  <input
                    type="checkbox"
                    className="accent-accent"
                    checked={isCompressed}
                    onChange={(event) => sayCompressed(event.target.checked)}
                  />
                  sizes after compression
                </label>
              )
            }
          />
          <form method="dialog" className="mt-1 flex justify-end">
            <button type="submit" className="control control-framed">
              Close
            </button>
          </form>
        </>
      )}
      {way === 'Link' && (
        <>
          <p className="mb-3 text-ink-muted">{SHARE_NOTES.staysInLink}</p>
          <fieldset className="min-w-0">
            <legend className="panel-title mb-1" data-term="label-travels">
              What travels
            </legend>
            {kinds.map((key) => (
              <Fragment key={key}>
                <label className={CHOICE}>
                  <input
                    type="radio"
                    name={id}
                    className="accent-accent"
                    checked={key === kind}
                    onChange={() => setKind(key)}
                  />
                  <span className="min-w-0 flex-1">
                    <span className="flex items-baseline gap-2">
                      <span className="font-semibold">{SHARE_TITLES[key]}</span>
                      <span className="ml-auto whitespace-nowrap text-ink-muted">{offerLength(offers[key])}</span>
                    </span>
                    <span className="block text-ink-muted">
                      {shareWords(key, {
                        ...facts,
                        // The same one travels with an address, which is not made until it is typed.
                        travelling: schemaOf(offers[key]) ?? (key === 'address' ? schemaOf(offers.inline) : null),
                        isExcerptCarried: isCarried && excerpt !== null,
                      })}
                    </span>
                  </span>
                </label>
                {key === 'profile' && kind === key && (
                  <>
                    <MemberNames of={profile} className="ml-7 px-2" />
                    {excerpt && <CarryExcerpt excerpt={excerpt} isCarried={isCarried} carry={carry} />}
                  </>
                )}
              </Fragment>
            ))}
          </fieldset>
          {kind === 'address' && (
            <label className="mt-2 block">
              <span className="panel-title">{SHARE_NOTES.address}</span>
              <input
                type="url"
                className="field"
                value={address}
                placeholder="https://…"
                onChange={(event) => setAddress(event.target.value)}
              />
            </label>
          )}
          {unreadable !== null && (
            <p role="alert" className="text-warn">
              {blockedSite(unreadable)}
            </p>
          )}
          <label className="mt-3 block">
            <span className="panel-title">Called</span>
            <input className="field" value={name} maxLength={200} onChange={(event) => setName(event.target.value)} />
          </label>
          {baseline && (
            <>
              <p className="mt-1 text-ink-muted">{baselineWords(baseline.name, baseline.profile.fields.length)}</p>
              <MemberNames of={baseline.profile} />
            </>
          )}
          <p className="mt-1 text-ink-muted">{SHARE_NOTES.alsoIn}</p>
          <Result offer={offer} name={name} />
        </>
      )}
    </Modal>
  );
}

const CHOICE = 'flex cursor-pointer items-baseline gap-3 px-2 py-1 hover:bg-hover has-checked:bg-selected';

/** The names of fields that figures have from the messages, which are the only bytes of these unless a person adds some. */
function MemberNames({
  of,
  className = '',
}: {
  readonly of: Profile | undefined;
  readonly className?: string;
}): ReactNode {
  const names = useMemo(() => (of ? memberNames(of) : []), [of]);
  if (names.length === 0) return null;
  return <p className={`max-h-24 overflow-y-auto break-words ${className}`}>{memberNamesWords(names)}</p>;
}

const CarryExcerpt = ({
  excerpt,
  isCarried,
  carry,
}: {
  readonly excerpt: Excerpt;
  readonly isCarried: boolean;
  readonly carry: (isCarried: boolean) => void;
}): ReactNode => (
  <label className={`${CHOICE} ml-7`}>
    <input
      type="checkbox"
      className="accent-accent"
      checked={isCarried}
      onChange={(event) => carry(event.target.checked)}
    />
    <span className="min-w-0 flex-1">
      <span className="font-semibold">{SHARE_NOTES.withBytes}</span>
      <span className="block break-words text-ink-muted">{excerptContents(excerpt)}.</span>
    </span>
  </label>
);

function Result({ offer, name }: { readonly offer: ShareOffer | undefined; readonly name: string }): ReactNode {
  const link = isMade(offer) ? offer.link : null;
  const isReady = offer?.state === 'ready';
  const [copied, setCopied] = useState<{ readonly link: string; readonly is: boolean } | null>(null);
  const copy = async (): Promise<void> => {
    if (link === null) return;
    setCopied({ link, is: await copyText(link) });
  };
  const save = (): void => {
    if (offer?.state !== 'ready') return;
    saveFile(`${fileName(name)}.wirecost.json`, new TextEncoder().encode(printAnalysisFile(offer.shared)));
  };
  return (
    <>
      {/* It has its place while it is made, so that the buttons stay where they are. */}
      {(link !== null || offer === undefined) && (
        <div className={link === null ? 'invisible' : ''}>
          <label className="mt-3 block">
            <span className="panel-title">Link</span>
            <input className="field font-mono" readOnly value={link ?? ''} onFocus={(event) => event.target.select()} />
          </label>
          <LengthScale characters={link?.length ?? 0} />
        </div>
      )}
      <form
        method="dialog"
        className="-bottom-5 -mx-5 -mb-5 flex flex-wrap justify-end gap-2 bg-paper px-5 pt-1 pb-5 before:pointer-events-none before:absolute before:inset-x-0 before:bottom-full before:h-3 before:bg-linear-to-t before:from-paper before:to-transparent relative [@media(min-height:32rem)]:sticky"
      >
        <p className="min-h-10 w-full" role="status">
          {(offer === undefined || offer.state === 'old') && 'Making it…'}
          {offer?.state === 'refused' && offer.reason}
          {offer?.state === 'ready' && (link === null ? SHARE_NOTES.tooLarge : lengthWords(link.length))}
          {link !== null && isOnThisMachine() && ` ${SHARE_NOTES.onlyHere}`}
          {isReady && copied !== null && copied.link === link && (
            <strong> {copied.is ? 'Copied.' : COPY_REFUSED}</strong>
          )}
        </p>
        <button type="button" className="control control-framed mr-auto" disabled={!isReady} onClick={save}>
          Save as file
        </button>
        <button type="submit" className="control control-framed">
          Close
        </button>
        <button
          type="button"
          className="control control-primary"
          disabled={!isReady || link === null}
          onClick={() => void copy()}
        >
          Copy link
        </button>
      </form>
    </>
  );
}

function useFacts() {
  const profile = useApp(shownProfile);
  const outOf = useApp(({ session }) => session.inputSummary?.messages ?? session.sharedFrom?.source.messages ?? 0);
  const size = useApp(({ session }) => session.input?.data?.size ?? 0);
  const files = useApp(({ session }) => session.schemaFiles);
  const isKeyed = useApp(({ session }) => session.keyLog !== null);
  const holdsKeys = useApp(({ session: { inputSummary } }) => inputSummary !== null && holdsSecrets(inputSummary));
  return {
    fields: profile?.fields.length ?? 0,
    messages: profile?.messages ?? outOf,
    outOf,
    size,
    hasKeys: isKeyed || holdsKeys,
    holdsKeys,
    hasMemberNames: useMemo(() => profile !== undefined && memberNames(profile).length > 0, [profile]),
    namesTypes: profile !== undefined && heldTypes(profile).length > 0,
    schema: useMemo(() => extentOf(files), [files]),
  };
}

/** The bytes around the selection; for shared figures with bytes, those bytes. */
function useExcerpt(): Excerpt | null {
  const inspection = useApp(({ session }) => session.inspection);
  const row = useApp(({ view }) => view.selection.row);
  const came = useApp(({ session }) => session.sharedFrom?.excerpt ?? null);
  return useMemo(() => (inspection ? excerptOf(inspection, row, inspection.ordinal) : came), [inspection, row, came]);
}

/** The input of figures. */
function useSubject(
  name: string,
  excerpt: Excerpt | null,
  compressed: FigureSubject['compressed'],
): FigureSubject | null {
  const profile = useApp(shownProfile);
  const path = useApp(({ view }) => view.selection.path);
  const summary = useApp(({ session }) => session.inputSummary);
  const sharedFrom = useApp(({ session }) => session.sharedFrom);
  const measured = useApp(shownMatrix);
  const by = useApp(matrixByOf);
  const { coverage } = useShownSource();
  const bits = useApp(shownBits) ?? null;
  const pair = usePairSubject(profile);
  const matrix = useMemo(() => sharedMatrix(measured, by) ?? sharedFrom?.matrix ?? null, [measured, by, sharedFrom]);
  return useMemo(() => {
    if (!profile) return null;
    const native = NATIVE_PROFILES.find(({ id }) => id === profile.pair[1])?.label ?? profile.pair[1];
    const { made, layers } = sharedFrom ?? {};
    const date = made?.date ?? new Date().toISOString().slice(0, 10);
    return {
      profile,
      from: { name, date, version: made?.by ?? APP_VERSION, native, coverage },
      path,
      layers: summary?.kind === 'capture' ? summary.layers : layers ? { ...emptyLayers(), ...layers } : null,
      compressed,
      matrix,
      bits,
      pair,
      excerpt,
    };
  }, [profile, path, summary, sharedFrom, coverage, name, compressed, matrix, bits, pair, excerpt]);
}

/** A, and the measurements of both sides after the shown compressors. @param profile of B */
function usePairSubject(profile: Profile | undefined): FigureSubject['pair'] {
  const { aligned } = useApp(({ view }) => view.pair);
  const baseline = useApp(({ session }) => session.baseline);
  const after = usePairAfter(profile);
  return useMemo(
    () => baseline && { name: baseline.name, a: baseline.profile, aligned, after },
    [aligned, after, baseline],
  );
}

const compressedOf = (data: SharedData): FigureSubject['compressed'] => ('compressed' in data ? data.compressed : null);

const isMade = (offer: ShareOffer | undefined): offer is Extract<ShareOffer, { readonly link: unknown }> =>
  offer !== undefined && offer.state !== 'refused';

/** The part of the schema that is shared, once it is known. */
function schemaOf(offer: ShareOffer | undefined): ShareFacts['travelling'] {
  if (!isMade(offer) || !('schema' in offer.shared.data)) return null;
  return extentOf(offer.shared.data.schema);
}

const extentOf = (files: readonly { readonly content: string | Uint8Array | Blob }[]): ShareFacts['schema'] => ({
  files: files.length,
  bytes: files.reduce((sum, { content }) => sum + bytesOf(content), 0),
});

const bytesOf = (content: string | Uint8Array | Blob): number =>
  content instanceof Blob ? content.size : typeof content === 'string' ? new Blob([content]).size : content.length;

const sharedOf = (offer: ShareOffer | undefined): Shared | null => (offer?.state === 'ready' ? offer.shared : null);

const offerLength = (offer: ShareOffer | undefined): string => {
  if (!isMade(offer)) return '';
  return offer.link === null ? 'as a file only' : `${formatCount(offer.link.length)} characters`;
};

const fileName = (name: string): string => name.replace(/[^\w.-]+/g, '-').replace(/^[-.]+|[-.]+$/g, '') || 'analysis';
