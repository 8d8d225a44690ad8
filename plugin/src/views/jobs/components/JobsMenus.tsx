import { Dropdown, Menu, ToolbarButton } from '@grafana/ui';
import React, { useEffect } from 'react';
import { nameFacet } from '../model/facets.js';
import { listSorts } from '../model/job-columns.js';
import type { JobsOrder } from '../../../frames/job-order.js';
import type { ChosenFacets } from '../hooks/use-facets.js';

/** A menu of more is no menu. */
const MAX_OFFERED = 200;

interface ColumnsButtonProps {
  readonly facets: ChosenFacets;
}

/** Chooses tags and keys of configurations as columns. */
export function ColumnsButton({ facets }: ColumnsButtonProps): React.ReactElement {
  const count = facets.chosen.length;
  return (
    <Dropdown overlay={<ColumnsMenu facets={facets} />}>
      <ToolbarButton
        icon="columns"
        tooltip="Tags and configurations as columns"
        variant={count > 0 ? 'active' : 'canvas'}
        aria-label={count === 0 ? 'Columns' : `Columns: ${facets.chosen.map(nameFacet).join(', ')}`}
      />
    </Dropdown>
  );
}

/** The configurations of the jobs are asked for while it is open. */
function ColumnsMenu({ facets }: ColumnsButtonProps): React.ReactElement {
  const { chosen, offered, onChoosing, onToggle } = facets;
  useEffect(() => {
    onChoosing(true);
    return () => onChoosing(false);
  }, [onChoosing]);
  return (
    <div style={{ maxHeight: '60vh', overflowY: 'auto' }}>
      <Menu ariaLabel="Columns">
        {offered.slice(0, MAX_OFFERED).map((id) => (
          <Menu.Item
            key={id}
            label={nameFacet(id)}
            icon={chosen.includes(id) ? 'eye' : 'eye-slash'}
            active={chosen.includes(id)}
            onClick={() => onToggle(id)}
          />
        ))}
        {offered.length === 0 && <Menu.Item label="No job here has tags or a configuration" disabled />}
      </Menu>
    </div>
  );
}

interface SortButtonProps extends ColumnsButtonProps {
  readonly order: JobsOrder | undefined;
  readonly onOrder: (order: JobsOrder | undefined) => void;
}

/** Sorts a list whose columns have no headings; what is chosen once more is turned round. */
export function SortButton({ order, onOrder, facets }: SortButtonProps): React.ReactElement {
  const sorts = listSorts(facets.chosen);
  const title = sorts.find(([key]) => key === order?.key)?.[1];
  const way = order?.isDescending === true ? 'descending' : 'ascending';
  const overlay = (
    <Menu ariaLabel="Sort">
      <Menu.Item
        label="Running first, then the newest"
        active={order === undefined}
        onClick={() => onOrder(undefined)}
      />
      {sorts.map(([key, label]) => {
        const isSorted = order?.key === key;
        const isDescending = !isSorted || !order.isDescending;
        return (
          <Menu.Item
            key={key}
            label={label}
            active={isSorted}
            {...(isSorted && { icon: order.isDescending ? ('arrow-down' as const) : ('arrow-up' as const) })}
            onClick={() => onOrder({ key, isDescending })}
          />
        );
      })}
    </Menu>
  );
  return (
    <Dropdown overlay={overlay}>
      <ToolbarButton
        icon={order === undefined ? 'sort-amount-down' : order.isDescending ? 'arrow-down' : 'arrow-up'}
        variant={order === undefined ? 'canvas' : 'active'}
        aria-label={title === undefined ? 'Sort' : `Sort: ${title}, ${way}`}
      />
    </Dropdown>
  );
}
