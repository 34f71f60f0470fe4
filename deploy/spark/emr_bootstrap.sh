#!/bin/bash
# Bootstrap action for EMR 7 (Spark 3.5, Amazon Linux 2023): Cedar on each machine, and its pool of Python workers as a service.
#     aws emr create-cluster --release-label emr-7.1.0 --applications Name=Spark \
#         --bootstrap-actions Path=s3://BUCKET/emr_bootstrap.sh,Args=[s3://BUCKET/cedar] ...
# The folder has the wheel of Cedar, requirements-worker.txt of deploy/, and pool.py of deploy/spark/.
set -euo pipefail
folder=$1
sudo dnf install --assumeyes --quiet python3.11
sudo mkdir --parents /opt/cedar
sudo aws s3 cp --recursive --only-show-errors "$folder/" /opt/cedar/
sudo python3.11 -m venv /opt/cedar/venv
sudo /opt/cedar/venv/bin/pip install --quiet --no-deps --require-hashes -r /opt/cedar/requirements-worker.txt
sudo /opt/cedar/venv/bin/pip install --quiet --no-deps /opt/cedar/*.whl
sudo tee /etc/systemd/system/cedar-pool.service >/dev/null <<'UNIT'
[Unit]
Description=Python workers of Cedar
[Service]
User=hadoop
Environment=PATH=/opt/cedar/venv/bin:/usr/bin:/bin
ExecStart=/opt/cedar/venv/bin/python /opt/cedar/pool.py 50000
Restart=always
[Install]
WantedBy=multi-user.target
UNIT
sudo systemctl enable --now cedar-pool.service
