#!/usr/bin/env bash
# slurm.sh TALUS SOURCE: the Slurm scripts for real, on a cluster of two virtual nodes on this machine.
# Skipped (77) where Slurm is not installed.
set -uo pipefail
export TALUS
TALUS=$(realpath "$1")
submit=$(realpath "$2")/scripts/slurm/submit
export PATH=$PATH:/usr/sbin:/sbin
for program in slurmctld slurmd munged sbatch; do
  command -v $program >/dev/null || { echo "skipped: no $program here (Debian: slurm-wlm, munge)"; exit 77; }
done
folder=$(mktemp -d /tmp/talus-slurm-XXXXXX)
chmod 755 "$folder"
started=()
finish() {
  [ ${#started[@]} -eq 0 ] || { kill "${started[@]}"; wait "${started[@]}"; } 2>/dev/null
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder" || exit 1
port=$((20000 + $$ % 20000))
mkdir state spool-node1 spool-node2 munge scenarios
dd if=/dev/urandom of=munge/key bs=1024 count=1 2>/dev/null
chmod 700 munge && chmod 600 munge/key

cat >slurm.conf <<EOM
ClusterName=talus
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd-%n.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,sched_min_interval=0
NodeName=node1 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 1)) CPUs=1
NodeName=node2 NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + 2)) CPUs=1
PartitionName=all Nodes=node1,node2 Default=YES MaxTime=INFINITE State=UP
EOM
export SLURM_CONF=$folder/slurm.conf

munged --foreground --force --key-file="$folder/munge/key" --socket="$folder/munge.socket" \
  --pid-file="$folder/munge/pid" --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" \
  >munge.out 2>&1 &
started+=($!)
for _ in $(seq 100); do [ -S munge.socket ] && break; sleep 0.1; done
slurmctld -D >slurmctld.log 2>&1 &
started+=($!)
for node in node1 node2; do
  slurmd -D -N $node >slurmd-$node.log 2>&1 &
  started+=($!)
done
for _ in $(seq 300); do
  [ "$(sinfo -h -t idle -o %D 2>/dev/null)" = 2 ] && break
  sleep 0.1
done
if [ "$(sinfo -h -t idle -o %D 2>/dev/null)" != 2 ]; then
  echo "skipped: Slurm does not start here: $(tail -n 3 slurmctld.log slurmd-*.log munge.out)"
  exit 77
fi

cat >scenarios/some.json <<'EOM'
{"talus": 1, "terrain": {"preset": "flat"},
 "pieces": [{"name": "cube", "structure": [{"op": "block", "size": 2, "cell": [0, 1, 0]}]}],
 "until": {"time_s": {"$": "end"}}, "expect": [{"that": "at_rest", "by_s": 2.5}],
 "matrix": {"end": [3, 4, 5, 0.1, 6]}}
EOM
"$submit" 3 out scenarios -- --timeout 60 >submitted || exit 1
for _ in $(seq 600); do [ -f out/exit_code ] && break; sleep 0.1; done
failures=0
expect() { [ "$1" = "$2" ] || { echo "$3: '$1' instead of '$2'"; failures=$((failures + 1)); }; }
expect "$(cat out/exit_code)" 1 'exit code of the merge'
"$TALUS" batch scenarios --json >one.json
strip() { sed '/"took_s"/d' "$1"; }
expect "$(strip out/report.json)" "$(strip one.json)" 'merged report'
expect "$(ls out/*.result.json | wc -l)" 5 'results'
[ -s out/report.xml ] || { echo 'no report.xml'; failures=$((failures + 1)); }
[ $failures = 0 ] || cat out/*.log slurmctld.log
[ $failures = 0 ] && echo 'three jobs on two nodes give the verdict of one run'
exit $((failures > 0))
